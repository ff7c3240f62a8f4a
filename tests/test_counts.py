"""A count in a sentence is that of the code: each row of COUNTS says where the sentence stands, and how its numbers are counted.

In the pages that are not chapters, and in the help of the commands, a number above 2 before one of NOUNS needs a row.
"""
