"""What a compactor's text keeps, each measure a pure function to whole counts."""
