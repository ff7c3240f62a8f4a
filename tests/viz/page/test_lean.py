"""A page's styles lose comments and spaces, and nothing else."""

from viz.document import lean_style


def test_a_style_keeps_its_selectors_and_strings():
    text = '/* a */ .a :is(b, c) > d::after { content: "≠ "; width: calc(1px - 2px); }\n@media (min-width: 3px) { e { color: red } }'
    assert lean_style(text) == '.a :is(b,c) > d::after{content:"≠ ";width:calc(1px - 2px)}@media (min-width:3px){e{color:red}}'
