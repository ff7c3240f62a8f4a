"""The authored files, one for each exercise: statement, solution, wrong answers, hints and probes."""
