"""Standing rules in what a user typed: sentences, the rules among them, and what lifts them."""
