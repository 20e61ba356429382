"""What an operator sees of the running house: signs of life, log lines, figures."""
