"""A user's own torch.autograd.Function."""
