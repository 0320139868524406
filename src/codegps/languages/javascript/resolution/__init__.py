"""Where imports of JavaScript and TypeScript lead: project files and paths of the tree in, files out."""
