"""The rules of Mexican Train: pure values and functions, standard library only.

A word of warning about words. Players call the double in the middle of the table *the engine*.
In this code it is always the `starting_double`, placed on the `hub`; `engine` means this package.
"""
