"""Our gradients against PyTorch's and against finite differences."""
