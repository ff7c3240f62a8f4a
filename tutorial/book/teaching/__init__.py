"""What a teacher finds on the site: a class, a term, what learners say, slides and handouts, and the answers apart."""
