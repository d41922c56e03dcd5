module example.com/attempts

go 1.24
