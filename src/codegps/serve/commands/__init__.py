"""One module a command: `add(parser)` declares its arguments, `run(options)` does it and gives the exit status."""
