"""python -m tutorial teach unpack: make the folders of a class from zip files of submissions."""

from tutorial.cli.shared.parser import program, remark

ABOUT = "make the folders of a class from zip files of submissions"
DESCRIPTION = """\
Make the folders that `teach grade` grades from a folder with a zip file of each
student, as `exercises submit` writes them; or from one zip file, such as the
one that Gradescope exports: it holds a folder for each submission, in which the
files may lie in another folder, or be a notebook. Only programs and notebooks
are read. A zip file with a member that leads out of the folder, or is a link,
is refused as a whole. What was left out is said on standard error.
"""
REPORTED = (ValueError, OSError)


def options(parser):
    parser.add_argument("zip", metavar="ZIP", help="a folder of zip files, or one of Gradescope")
    parser.add_argument("folder", metavar="DIR", help="the new folder of the class")


def run(args):
    """Unpack a zip file."""
    from tutorial.classroom.exports.handed_in import unpack

    students, remarks = unpack(args.zip, args.folder)
    for each in remarks:
        remark(each)
    print(f"{students} students are in {args.folder}. Next:\n  {program()} teach grade {args.folder}")
    return 0
