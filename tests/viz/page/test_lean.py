"""A page's scripts and styles lose comments and spaces, and nothing else."""

import pytest

from viz.page.lean import lean_script, lean_style


@pytest.mark.parametrize(
    "text, lean",
    [
        ("a = b; // why\n\n  // more\nc = d;", "a=b;\nc=d;"),
        ('x = "a  // b" + \'c  "  d\';', 'x="a  // b"+\'c  "  d\';'),
        ("y = `a  ${ b + `c  ${d  }  e` }  // f`;", "y=`a  ${ b + `c  ${d  }  e` }  // f`;"),
        ('y = `${"`}"}  `; z = 1;', 'y=`${"`}"}  `;z=1;'),
        ("z = a / b / c; p = /[/ ]  \\//g.test(q);", "z=a/b/c;p=/[/ ]  \\//g.test(q);"),
        ("return a + +b - -c + ++d;", "return a+ +b- -c+ ++d;"),
        ("const $ = of  of  typeof  x in y;", "const $=of of typeof x in y;"),
        ("if (a)\n  b()\nelse  c()", "if(a)\nb()\nelse c()"),
    ],
)
def test_a_script_keeps_strings_templates_patterns_and_lines(text, lean):
    assert lean_script(text) == lean
    assert lean_script(lean) == lean


def test_a_style_keeps_its_selectors_and_strings():
    text = '/* a */ .a :is(b, c) > d::after { content: "≠ "; width: calc(1px - 2px); }\n@media (min-width: 3px) { e { color: red } }'
    assert lean_style(text) == '.a :is(b,c) > d::after{content:"≠ ";width:calc(1px - 2px)}@media (min-width:3px){e{color:red}}'
