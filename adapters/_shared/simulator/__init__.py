"""What the simulators of all platforms share: people, faults, recorded calls, and the server of their pages."""
