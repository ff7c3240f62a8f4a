"""One layered layout for drawings, pages and the explorer. Knows sizes, links and scopes, not what they show.

The method is Sugiyama's: put boxes in ranks, let each long link pass the ranks between through gaps of its own, order each rank by the
neighbours of its boxes, move all boxes as near to their neighbours as their sizes allow. So no link runs through a box.

    ranks        in which rank a box stands
    ordering     in which order the boxes and the gaps of each rank stand
    arrangement  both for each scope by itself, so that any scope may be open or closed
    heights      where they stand in that order
    rows         where a wide graph continues in a next row, as text does
    layered      the places of all boxes, and the frames of open scopes
    routes       the links as splines
"""
