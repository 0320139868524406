"""How often each proof level proves true: real projects' own tests say which calls are really made."""
