"""What a teacher does with a class: grade and report, export results, ask questions in real time, pack what students get."""
