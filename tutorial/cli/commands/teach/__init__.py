"""python -m tutorial teach: what a teacher does with a class. Each command is a file of this folder."""

ABOUT = "for teachers: grade exercises, ask a class questions"
DESCRIPTION = """\
`grade FOLDER` grades a class: FOLDER holds a folder for each student, with the
files that `exercises init` makes. It writes a line of JSON for each student and
exercise. Each student has numbers of their own, which follow from a secret
file. What was graded before is not graded again. `--shard 3/100` grades the
third of 100 parts of the class. `merge` puts the parts together. `export`
writes results as a gradebook, or for Canvas, Gradescope, Classroom 50 or CI.
`report` writes what the class has not understood as one page.
`explain STUDENT ID` replays one result, for a student who doubts it.
`handout` writes exercises on paper. `live` asks a class questions in real time,
on phones or by raised hands.
`example DIR` writes an example class to try this with, and `doctor` says which
isolation works on this machine. `selftest` tests the exercises by themselves:
right answers are right, each wrong answer gets its own name.
`build` makes what students get, which holds no solution.
Programs run in a process of their own. A tier that lets them read files is
refused unless you say --allow-weak.
"""
COMMANDS = {
    name: f"tutorial.cli.commands.teach.{name}"
    for name in (
        *("selftest", "build", "doctor", "example", "grade", "merge"),
        *("export", "report", "explain", "autograder", "handout", "unpack", "live"),
    )
}
DEFAULT = "doctor"
