"""The commands of `stationmaster`, one module each."""
