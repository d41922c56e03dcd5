package html

import (
	"cmp"
	"slices"
)

// Distances in a drawing, in pixels.
const (
	margin    = 16.0
	nodeGap   = 22.0 // between nodes of a layer
	layerGap  = 44.0 // between layers, before what runs there is added
	laneWidth = 9.0  // of edges at the side
	laneGap   = 5.0  // of the same, between layers
	passWidth = 10.0 // of an edge that passes a layer
)

type point struct{ x, y float64 }

// size of a node.
type size struct{ w, h float64 }

// layout is where a graph's parts go.
type layout struct {
	top   []point // middle of the upper side of each node
	route []route // of each edge
	size  size
}

// route is the way of an edge, from a node's lower side to another's upper one.
type route struct {
	points  []point
	angular bool // runs at the side, in right angles
}

type link struct{ from, to int }

// arrange lays out a graph, one connected part below the other.
func arrange(nodes []size, links []link) layout {
	l := layout{top: make([]point, len(nodes)), route: make([]route, len(links))}
	y := 0.0
	for _, part := range parts(len(nodes), links) {
		s := newSketch(nodes, links, part)
		s.layer()
		s.order()
		s.place()
		s.draw(&l, y)
		l.size.w = max(l.size.w, s.width)
		y += s.height
	}
	l.size.h = y
	return l
}

// parts lists the connected parts, each sorted.
func parts(n int, links []link) [][]int {
	root := make([]int, n)
	for i := range root {
		root[i] = i
	}
	find := func(i int) int {
		for root[i] != i {
			root[i] = root[root[i]]
			i = root[i]
		}
		return i
	}
	for _, e := range links {
		a, b := find(e.from), find(e.to)
		root[max(a, b)] = min(a, b)
	}
	var list [][]int
	at := map[int]int{}
	for i := range n {
		r := find(i)
		k, seen := at[r]
		if !seen {
			k = len(list)
			at[r] = k
			list = append(list, nil)
		}
		list[k] = append(list[k], i)
	}
	return list
}

// vertex is a node, or a place where an edge passes a layer.
type vertex struct {
	node     int // -1 for a place of passage
	size     size
	layer    int
	up, down []int   // neighbours in the layers above and below
	x        float64 // middle
}

// sketch is one connected part while it is laid out.
type sketch struct {
	links    []link
	of       map[int]int // vertices by node
	mine     []int       // links of this part
	side     map[int]bool
	vertices []vertex
	passing  map[int][]int // vertices that a link passes
	layers   [][]int
	width    float64
	height   float64
}

func newSketch(nodes []size, links []link, part []int) *sketch {
	s := &sketch{links: links, of: map[int]int{}, side: map[int]bool{}, passing: map[int][]int{}}
	for _, n := range part {
		s.of[n] = len(s.vertices)
		s.vertices = append(s.vertices, vertex{node: n, size: nodes[n]})
	}
	for i, e := range links {
		if _, ok := s.of[e.from]; ok {
			s.mine = append(s.mine, i)
		}
	}
	return s
}

// layer takes out what leads back, and gives each node the length of the longest
// way to it.
func (s *sketch) layer() {
	out := make([][]int, len(s.vertices)) // links
	for _, i := range s.mine {
		v := s.of[s.links[i].from]
		out[v] = append(out[v], i)
	}
	const fresh, open, done = 0, 1, 2
	state := make([]int, len(s.vertices))
	var post []int
	for root := range s.vertices {
		type frame struct{ v, next int }
		if state[root] != fresh {
			continue
		}
		state[root] = open
		stack := []frame{{root, 0}}
		for len(stack) > 0 {
			f := &stack[len(stack)-1]
			if f.next == len(out[f.v]) {
				state[f.v] = done
				post = append(post, f.v)
				stack = stack[:len(stack)-1]
				continue
			}
			i := out[f.v][f.next]
			f.next++
			switch to := s.of[s.links[i].to]; state[to] {
			case open:
				s.side[i] = true
			case fresh:
				state[to] = open
				stack = append(stack, frame{to, 0})
			}
		}
	}
	deepest := 0
	for _, v := range slices.Backward(post) {
		for _, i := range out[v] {
			if to := &s.vertices[s.of[s.links[i].to]]; !s.side[i] {
				to.layer = max(to.layer, s.vertices[v].layer+1)
				deepest = max(deepest, to.layer)
			}
		}
	}
	s.pass()
	s.layers = make([][]int, deepest+1)
	for v := range s.vertices {
		k := s.vertices[v].layer
		s.layers[k] = append(s.layers[k], v)
	}
}

// pass makes room for edges in the layers that they pass, the short ones first.
// Those for which there is none left run at the side.
func (s *sketch) pass() {
	room := 200 + 4*len(s.vertices)
	span := func(i int) int {
		return s.vertices[s.of[s.links[i].to]].layer - s.vertices[s.of[s.links[i].from]].layer
	}
	forward := slices.DeleteFunc(slices.Clone(s.mine), func(i int) bool { return s.side[i] })
	slices.SortStableFunc(forward, func(a, b int) int { return cmp.Compare(span(a), span(b)) })
	for _, i := range forward {
		if room -= span(i) - 1; room < 0 {
			s.side[i] = true
			continue
		}
		at, to := s.of[s.links[i].from], s.of[s.links[i].to]
		for range span(i) - 1 {
			next := len(s.vertices)
			s.vertices = append(s.vertices, vertex{node: -1, size: size{w: passWidth}, layer: s.vertices[at].layer + 1})
			s.passing[i] = append(s.passing[i], next)
			s.connect(at, next)
			at = next
		}
		s.connect(at, to)
	}
}

func (s *sketch) connect(above, below int) {
	s.vertices[above].down = append(s.vertices[above].down, below)
	s.vertices[below].up = append(s.vertices[below].up, above)
}

// order sorts each layer by the middle of the neighbours' places, downwards and
// upwards in turn, and keeps what crosses least.
func (s *sketch) order() {
	const sweeps = 12
	index := make([]float64, len(s.vertices))
	number := func() {
		for _, l := range s.layers {
			for i, v := range l {
				index[v] = float64(i)
			}
		}
	}
	number()
	best, least := clone(s.layers), s.crossings(index)
	for sweep := 0; sweep < sweeps && least > 0; sweep++ {
		for i := range s.layers {
			k := i
			if sweep%2 == 1 {
				k = len(s.layers) - 1 - i
			}
			key := map[int]float64{}
			for _, v := range s.layers[k] {
				near := s.vertices[v].up
				if sweep%2 == 1 {
					near = s.vertices[v].down
				}
				key[v] = mean(near, index, index[v])
			}
			slices.SortStableFunc(s.layers[k], func(a, b int) int { return cmp.Compare(key[a], key[b]) })
			for i, v := range s.layers[k] {
				index[v] = float64(i)
			}
		}
		if n := s.crossings(index); n < least {
			best, least = clone(s.layers), n
		}
	}
	s.layers = best
}

func clone(layers [][]int) [][]int {
	out := make([][]int, len(layers))
	for i, l := range layers {
		out[i] = slices.Clone(l)
	}
	return out
}

func mean(of []int, value []float64, otherwise float64) float64 {
	if len(of) == 0 {
		return otherwise
	}
	sum := 0.0
	for _, v := range of {
		sum += value[v]
	}
	return sum / float64(len(of))
}

// crossings counts, with a Fenwick tree, the pairs of edges between neighbouring
// layers that cross.
func (s *sketch) crossings(index []float64) int {
	total := 0
	for k := range len(s.layers) - 1 {
		tree := make([]int, len(s.layers[k+1])+1)
		passed := 0
		for _, v := range s.layers[k] {
			ends := make([]int, 0, len(s.vertices[v].down))
			for _, w := range s.vertices[v].down {
				ends = append(ends, int(index[w])+1)
			}
			for _, e := range ends {
				before := 0
				for i := e; i > 0; i -= i & -i {
					before += tree[i]
				}
				total += passed - before
			}
			for _, e := range ends {
				for i := e; i < len(tree); i += i & -i {
					tree[i]++
				}
				passed++
			}
		}
	}
	return total
}

// place moves the members of each layer to the middle of their neighbours, as far
// as order and distances allow.
func (s *sketch) place() {
	const sweeps = 10
	for _, l := range s.layers {
		x := 0.0
		for _, v := range l {
			w := s.vertices[v].size.w
			s.vertices[v].x = x + w/2
			x += w + nodeGap
		}
	}
	for sweep := range sweeps {
		for i := range s.layers {
			k := i
			if sweep%2 == 1 {
				k = len(s.layers) - 1 - i
			}
			s.settle(s.layers[k], sweep%2 == 1)
		}
	}
	left := 0.0
	for i, v := range s.vertices {
		if edge := v.x - v.size.w/2; i == 0 || edge < left {
			left = edge
		}
	}
	for i := range s.vertices {
		v := &s.vertices[i]
		v.x += margin - left
		s.width = max(s.width, v.x+v.size.w/2+margin)
	}
}

// settle is isotonic regression: with the least distances taken off, the places
// must not decrease, and of all such places the nearest to the wanted ones are
// found by joining neighbours that are out of order.
func (s *sketch) settle(layer []int, fromBelow bool) {
	type block struct{ sum, weight, count float64 }
	var blocks []block
	offset := make([]float64, len(layer))
	for i, v := range layer {
		if i > 0 {
			before := s.vertices[layer[i-1]]
			offset[i] = offset[i-1] + before.size.w/2 + nodeGap + s.vertices[v].size.w/2
		}
		near, weight := s.vertices[v].up, 1.0
		if fromBelow {
			near = s.vertices[v].down
		}
		if s.vertices[v].node < 0 || len(s.vertices[v].down) > 0 {
			weight = 8 // what goes on should go straight on; where it ends makes room
		}
		if len(near) == 0 {
			weight = 0.1
		}
		wanted := s.vertices[v].x
		if len(near) > 0 {
			sum, all := 0.0, 0.0
			for _, w := range near {
				share := 1.0
				if fromBelow && len(s.vertices[w].down) > 0 {
					share = 8
				}
				sum, all = sum+share*s.vertices[w].x, all+share
			}
			wanted = sum / all
		}
		blocks = append(blocks, block{(wanted - offset[i]) * weight, weight, 1})
		for n := len(blocks); n > 1 && blocks[n-2].sum/blocks[n-2].weight > blocks[n-1].sum/blocks[n-1].weight; n-- {
			a, b := blocks[n-2], blocks[n-1]
			blocks = append(blocks[:n-2], block{a.sum + b.sum, a.weight + b.weight, a.count + b.count})
		}
	}
	i := 0
	for _, b := range blocks {
		for range int(b.count) {
			s.vertices[layer[i]].x = b.sum/b.weight + offset[i]
			i++
		}
	}
}

// draw returns everything its coordinates, below y.
func (s *sketch) draw(l *layout, y float64) {
	lanes, inGap := s.lanes()
	top := make([]float64, len(s.layers))
	bottom := make([]float64, len(s.layers))
	at := y + margin + laneGap*float64(inGap[-1])
	for k, layer := range s.layers {
		top[k] = at
		tallest := 0.0
		for _, v := range layer {
			tallest = max(tallest, s.vertices[v].size.h)
		}
		bottom[k] = at + tallest
		at = bottom[k] + layerGap + laneGap*float64(inGap[k])
	}
	s.height = bottom[len(bottom)-1] + margin + laneGap*float64(inGap[len(s.layers)-1]) - y
	for _, v := range s.vertices {
		if v.node >= 0 {
			l.top[v.node] = point{v.x, top[v.layer]}
		}
	}
	out, in := s.ports()
	used := map[int]int{}
	next := func(gap int) float64 { used[gap]++; return laneGap * float64(used[gap]) }
	for _, i := range s.mine {
		from, to := s.vertices[s.of[s.links[i].from]], s.vertices[s.of[s.links[i].to]]
		start := point{from.x + out[i], top[from.layer] + from.size.h}
		end := point{to.x + in[i], top[to.layer]}
		if lane, ok := lanes[i]; ok {
			x := s.width + laneWidth*float64(lane)
			down, up := bottom[from.layer]+14+next(from.layer), top[to.layer]-10-next(to.layer-1)
			l.route[i] = route{[]point{start, {start.x, down}, {x, down}, {x, up}, {end.x, up}, end}, true}
			continue
		}
		way := []point{start}
		for _, v := range s.passing[i] {
			p := s.vertices[v]
			way = append(way, point{p.x, top[p.layer]}, point{p.x, bottom[p.layer]})
		}
		l.route[i] = route{append(way, end), false}
	}
	if n := laneCount(lanes); n > 0 {
		s.width += laneWidth*float64(n) + margin/2
	}
}

// lanes returns each edge at the side the innermost lane that is free along it,
// short ones first, and counts the edges in the gap below each layer.
func (s *sketch) lanes() (lanes, inGap map[int]int) {
	lanes, inGap = map[int]int{}, map[int]int{}
	type stretch struct{ link, low, high int }
	var list []stretch
	for _, i := range s.mine {
		if !s.side[i] {
			continue
		}
		a, b := s.vertices[s.of[s.links[i].from]].layer, s.vertices[s.of[s.links[i].to]].layer-1
		list = append(list, stretch{i, min(a, b), max(a, b)})
		inGap[a]++
		inGap[b]++
	}
	slices.SortStableFunc(list, func(a, b stretch) int { return cmp.Compare(a.high-a.low, b.high-b.low) })
	var taken [][]stretch
	for _, e := range list {
		lane := slices.IndexFunc(taken, func(others []stretch) bool {
			return !slices.ContainsFunc(others, func(o stretch) bool { return o.low <= e.high && e.low <= o.high })
		})
		if lane < 0 {
			lane = len(taken)
			taken = append(taken, nil)
		}
		taken[lane] = append(taken[lane], e)
		lanes[e.link] = lane
	}
	return lanes, inGap
}

func laneCount(lanes map[int]int) int {
	n := 0
	for _, lane := range lanes {
		n = max(n, lane+1)
	}
	return n
}

// ports spreads the ends of edges over a node's lower and upper side, in the
// order of where they lead. It gives distances from the middle, by link.
func (s *sketch) ports() (out, in map[int]float64) {
	out, in = map[int]float64{}, map[int]float64{}
	leaving, entering := map[int][]int{}, map[int][]int{}
	for _, i := range s.mine {
		leaving[s.of[s.links[i].from]] = append(leaving[s.of[s.links[i].from]], i)
		entering[s.of[s.links[i].to]] = append(entering[s.of[s.links[i].to]], i)
	}
	beside := func(i, other int, nearest func([]int) int) float64 {
		if s.side[i] {
			return s.width + float64(i) // at the right
		}
		if way := s.passing[i]; len(way) > 0 {
			return s.vertices[nearest(way)].x
		}
		return s.vertices[other].x
	}
	spread := func(v int, list []int, wide float64, key func(int) float64, at map[int]float64) {
		slices.SortStableFunc(list, func(a, b int) int { return cmp.Compare(key(a), key(b)) })
		gap := min(wide, (s.vertices[v].size.w-28)/float64(max(1, len(list)-1)))
		for k, i := range list {
			at[i] = gap * (float64(k) - float64(len(list)-1)/2)
		}
	}
	for v := range s.vertices {
		spread(v, leaving[v], 56, func(i int) float64 {
			return beside(i, s.of[s.links[i].to], func(way []int) int { return way[0] })
		}, out)
		spread(v, entering[v], 14, func(i int) float64 {
			return beside(i, s.of[s.links[i].from], func(way []int) int { return way[len(way)-1] })
		}, in)
	}
	return out, in
}
