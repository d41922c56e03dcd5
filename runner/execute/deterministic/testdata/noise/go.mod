module noise

go 1.24
