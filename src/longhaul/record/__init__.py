"""Recording: scenarios, plays, the sandbox that real pi runs in, and the check of what came out."""
