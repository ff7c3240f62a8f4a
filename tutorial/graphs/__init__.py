"""The tutorial's own graphs and engine: Figure 1, the two matrix products, the arm, the engine as printed and as mended."""
