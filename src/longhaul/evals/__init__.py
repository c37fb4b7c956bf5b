"""What a compactor keeps, measured on labelled data."""
