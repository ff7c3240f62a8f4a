"""z, the asked input and the nudged path are whole in the window, in every act."""

import pytest

from tests.browser.in_view import ACTS, SIZES, in_view


def shown(found, key):
    return {act: all(step[key] for step in found if step["act"] == act) for act in ACTS}


def test_what_is_outside_the_window_is_found(visit, saved):
    player = visit(saved("figure1"), "#step=1")
    player.page.evaluate("document.querySelector('.camera').style.translate = '200px'")
    found = in_view(player, ["nudge"], few=2)
    assert all(step["asked"] and not step["z"] and not step["path"] and not step["all"] for step in found)


@pytest.mark.parametrize("size", SIZES, ids=lambda size: "x".join(map(str, size)))
def test_all_of_figure_1_is_in_view_in_every_act(visit, saved, size):
    player = visit(saved("figure1"), "#step=1", viewport=dict(zip(("width", "height"), size)))
    found = in_view(player)
    assert all(all(shown(found, key).values()) for key in ("z", "asked", "path", "all"))
    assert min(step["text"] for step in found) >= (12 if size != (390, 844) else 11)
