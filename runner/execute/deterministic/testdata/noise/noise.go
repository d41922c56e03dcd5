// This program prints one value of each kind of noise, "kind: value" a line,
// three times: as the process starts, and after each of two resets of the
// sequence.
package main

import (
	crand "crypto/rand"
	"fmt"
	"hash/maphash"
	"math/rand"
	randv2 "math/rand/v2"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
	_ "unsafe"

	"noise/internal/detrand"
)

//go:linkname seq runtime.isodelta_seq
var seq uint64

var sink any

func main() {
	name, err := os.Executable()
	fmt.Println("the program:", name != "", err)
	fmt.Println("its size:", detrand.Size > 0)
	round("start")
	for _, name := range []string{"first", "second"} {
		atomic.StoreUint64(&seq, 0)
		done := make(chan bool)
		go func() { // a goroutine of its own, as tests have
			round(name)
			done <- true
		}()
		<-done
	}
}

func round(name string) {
	say := func(kind string, value ...any) { fmt.Println(name, kind+":", value) }

	large := map[string]int{}
	for i := range 500 {
		large[fmt.Sprint(i)] = i
	}
	say("large map", keys(large))
	say("small map", keys(map[string]int{"a": 1, "b": 2, "c": 3, "d": 4, "e": 5, "f": 6, "g": 7}))
	nan, zero := map[float64]int{}, 0.0
	for i := range 20 {
		nan[zero/zero] = i
	}
	var order []int
	for _, v := range nan {
		order = append(order, v)
	}
	say("map of NaN", order)

	var synced sync.Map
	for i := range 50 {
		synced.Store(i, i)
	}
	order = nil
	synced.Range(func(k, _ any) bool { order = append(order, k.(int)); return true })
	say("sync.Map", order)

	say("math/rand", rand.Int63(), rand.Perm(5))
	say("math/rand/v2", randv2.Uint64(), randv2.N(1000))

	dir, err := os.MkdirTemp("", "noise")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(dir)
	file, err := os.CreateTemp("", "noise*")
	if err != nil {
		panic(err)
	}
	defer os.Remove(file.Name())
	defer file.Close()
	say("temporary names", filepath.Base(dir), filepath.Base(file.Name()))

	say("maphash", maphash.String(maphash.MakeSeed(), "text"))

	secret := make([]byte, 19)
	crand.Read(secret)
	say("crypto/rand", secret, crand.Text())

	a, b := make(chan bool, 20), make(chan bool, 20)
	for range 20 {
		a <- true
		b <- true
	}
	var chosen string
	for range 20 {
		select {
		case <-a:
			chosen += "a"
		case <-b:
			chosen += "b"
		}
	}
	say("select", chosen)

	p := new([64]byte)
	sink = p
	var at uintptr
	fmt.Sscanf(fmt.Sprintf("%p", p), "0x%x", &at)
	say("heap base", at>>26)
}

func keys(m map[string]int) []string {
	var names []string
	for k := range m {
		names = append(names, k)
	}
	return names
}
