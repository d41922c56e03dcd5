package automr
