"""The engine: state, rules and wiring. Knows no domain."""
