"""What PyTorch allows and is seldom meant, found while the program runs. Begin with seldom_meant.py."""
