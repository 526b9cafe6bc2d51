"""The product: commands, web application and the wiring between the rules and the reader."""
