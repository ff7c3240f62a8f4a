"""The entries of arrays that are 0 but for rounding. An array cannot say so itself, so it stands here while it lives."""

from weakref import ref

from scalargrad.formulas.rounding_error import Rounded

LOST: dict = {}  # {id of an array: (a weak reference to it, its lost entries as an array of truth values)}


def note_lost(array, lost):
    """Note which entries of an array are lost: 0 but for rounding."""
    place = id(array)
    LOST[place] = ref(array, lambda _: LOST.pop(place, None)), lost


def lost_entries(array):
    """Return which entries of an array are lost; None if none is."""
    found = LOST.get(id(array))
    return found[1] if found and found[0]() is array else None


def nested_lists(array):
    """Return an array as nested lists, or the number in it, where a lost entry is a Rounded number that says so."""
    lost = lost_entries(array)
    return array.tolist() if lost is None else with_lost(array.tolist(), lost.tolist())


def with_lost(numbers, lost):
    if isinstance(numbers, list):
        return [with_lost(*each) for each in zip(numbers, lost)]
    return Rounded(numbers, abs(numbers), True) if lost else numbers


def ends(array):
    """Return the least and the greatest entry; of an array with nothing but rounding a Rounded number that says so, twice."""
    shown = without_lost(array)
    low, high = shown.min().tolist(), shown.max().tolist()
    if shown is array or low != 0 or high != 0:
        return low, high
    lost = Rounded(float(abs(array).max()), 0.0, True)
    return lost, lost


def without_lost(array):
    """Return an array with 0 in place of its lost entries; the array itself if it has none."""
    lost = lost_entries(array)
    return array if lost is None else array * ~lost
