module allocate

go 1.24
