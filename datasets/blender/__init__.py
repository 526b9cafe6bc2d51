"""Path-traced pictures of game tables: the same games and truth as `datasets.tables`, as real solids in real light.

`plan` runs anywhere and writes a scene as plain data; `studio` and its helpers run inside Blender's Python (the
extra `render`) and need nothing but `bpy` and numpy.
"""
