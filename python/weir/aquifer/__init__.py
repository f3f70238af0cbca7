"""Files of PFLOTRAN on a structured grid, and of the application `aquifer`, in HDF5: opened, drawn, described
for ParaView."""
