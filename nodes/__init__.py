"""The nodes of the flow, one a file: each reads the state and returns an update."""
