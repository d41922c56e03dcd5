package goals

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"sort"
	"strconv"
	"strings"
	"time"
)

// Tariff adds products: no literal of the code is the input.
func Tariff(km, code int) string {
	if km*3+code == 70007 {
		if code > 41 { // goal: sum of products and a bound
			return "long haul"
		}
	}
	return ""
}

func Area(width, height int) int {
	if width > 100 && height > 100 {
		if width*height == 41209 { // goal: product of two inputs
			return 1
		}
	}
	return 0
}

func Square(x int64) bool {
	if x*x == 1522756 { // goal: square
		return true
	}
	return false
}

func Triangle(a, b, c int) string {
	if a > 5000 {
		if a == b && b == c { // goal: three equal inputs
			return "equilateral"
		}
	}
	return "other"
}

func Remainder(x int) bool {
	if x > 100000 {
		if x%97 == 31 { // goal: remainder
			return true
		}
	}
	return false
}

func Masked(flags uint32) bool {
	const want = 0xa5
	if flags>>8&0xff == want { // goal: eight bits in the middle
		return true
	}
	return false
}

type Order struct {
	Quantity int
	Price    float64
	Discount float64
	Country  string
}

func Total(o Order) string {
	total := float64(o.Quantity) * o.Price
	if o.Discount > 0 && o.Discount < 1 {
		total -= total * o.Discount
		if total > 4000 && total < 4010 { // goal: narrow range of floating-point numbers
			return "review"
		}
	}
	return "ok"
}

// LuhnLike checks a number of eight digits whose last one follows from the others.
func LuhnLike(number string) error {
	if len(number) != 8 {
		return errors.New("eight digits")
	}
	sum := 0
	for i := 0; i < 7; i++ {
		if number[i] < '0' || number[i] > '9' {
			return errors.New("a digit")
		}
		sum += int(number[i]-'0') * (7 - i)
	}
	if sum < 20 {
		return errors.New("too plain")
	}
	if int(number[7]-'0') == sum%10 { // goal: checksum digit
		return nil
	}
	return errors.New("checksum")
}

func Account(s string) (string, error) {
	if !strings.HasPrefix(s, "acct:") {
		return "", errors.New("no account")
	}
	id := s[len("acct:"):]
	if len(id) != 4 {
		return "", errors.New("four digits")
	}
	for _, c := range id {
		if !strings.ContainsRune("0123456789abcdef", c) {
			return "", errors.New("no hexadecimal digit")
		}
	}
	if id != "0000" { // goal: prefix and four hexadecimal digits
		return id, nil
	}
	return "", errors.New("reserved")
}

type Config struct {
	Host    string
	Retries int
	Verbose bool
	Limits  Limits
}

type Limits struct {
	Soft, Hard int
	Enforce    bool
}

type Client struct{ cfg Config }

func NewClient(cfg Config) *Client { return &Client{cfg} }

func (c *Client) limits() Limits { return c.cfg.Limits }

func (c *Client) allow(n int) error {
	if l := c.limits(); l.Enforce {
		if n > l.Hard {
			return fmt.Errorf("%d is more than %d", n, l.Hard)
		}
	}
	return nil
}

func (c *Client) Send(parts []string) error {
	if err := c.allow(len(parts)); err != nil { // goal: option of a configuration two calls away
		return err
	}
	return nil
}

func Header(r io.Reader) (byte, error) {
	var b [6]byte
	for i := range b {
		if _, err := io.ReadFull(r, b[i:i+1]); err != nil {
			if i == 3 && err != io.EOF { // goal: reader that fails at the third byte
				return 0, err
			}
			return 0, nil
		}
	}
	return b[0], nil
}

func LeapDay(year, month, day int) bool {
	if year < 1900 || month != 2 {
		return false
	}
	if day == 29 {
		if year%4 == 0 && (year%100 != 0 || year%400 == 0) { // goal: 29 February of a leap year
			return true
		}
	}
	return false
}

func Deadline(t time.Time) string {
	if t.Month() == time.February && t.Day() == 29 {
		if t.Hour() >= 22 { // goal: late on a leap day, of a time
			return "late"
		}
	}
	return "early"
}

type Level int

const (
	Debug Level = iota
	Info
	Warning
	Failure
)

func Rank(l Level, tags []string) int {
	switch l {
	case Failure:
		if len(tags) > 3 && tags[2] == "audit" { // goal: element of a list
			return 9
		}
	case Warning:
		return 3
	}
	return 0
}

func Command(line string) string {
	verb, rest, ok := strings.Cut(line, " ")
	if !ok {
		return ""
	}
	switch strings.ToLower(verb) {
	case "transfer":
		if strings.HasSuffix(rest, "!") { // goal: words of a command
			return "urgent"
		}
	case "help":
		return "help"
	}
	return ""
}

func Parse(s string) (int, error) {
	n, err := strconv.Atoi(s)
	if err != nil {
		return 0, err
	}
	if n == 60_451 { // goal: number that is spelled
		return 1, nil
	}
	return 0, nil
}

func Pair(s string) int {
	fields := strings.Split(s, ",")
	if len(fields) == 3 {
		a, err1 := strconv.Atoi(fields[0])
		b, err2 := strconv.Atoi(fields[2])
		if err1 == nil && err2 == nil {
			if a+b == 917 { // goal: two numbers in a list that is spelled
				return a
			}
		}
	}
	return 0
}

var currencies = map[string]int{"CHF": 2, "JPY": 0, "KWD": 3}

func Minor(currency string, amount int) int {
	digits, ok := currencies[currency]
	if !ok {
		return 0
	}
	if digits == 3 && amount%1000 == 5 { // goal: key of a map
		return 1
	}
	return 0
}

func Lookup(env map[string]string) string {
	if v, ok := env["ISO_MODE"]; ok {
		if v == "strict" { // goal: key and value of a map that is given
			return v
		}
	}
	return ""
}

type Shape interface{ Sides() int }

type Box struct{ Width, Height int }

func (Box) Sides() int { return 4 }

type Ring struct{ Radius int }

func (Ring) Sides() int { return 0 }

func Describe(s Shape) string {
	switch x := s.(type) {
	case Ring:
		if x.Radius < 0 { // goal: dynamic type and its field
			return "inverted"
		}
		return "ring"
	case Box:
		return "box"
	}
	return ""
}

var ErrMissing = errors.New("missing")

type Stack struct{ items []int }

func (s *Stack) Push(x int) { s.items = append(s.items, x) }

func (s *Stack) Pop() (int, error) {
	if len(s.items) == 0 {
		return 0, ErrMissing
	}
	x := s.items[len(s.items)-1]
	s.items = s.items[:len(s.items)-1]
	return x, nil
}

func (s *Stack) Top() string {
	if len(s.items) == 3 {
		if s.items[0] == 2*s.items[2] && s.items[2] > 0 { // goal: state after three calls
			return "double"
		}
	}
	return ""
}

type Node struct {
	Value int
	Next  *Node
}

func Depth(n *Node) int {
	d := 0
	for n != nil {
		d++
		if d == 3 && n.Value == 77 { // goal: field behind three pointers
			return -1
		}
		n = n.Next
	}
	return d
}

func Magic(b []byte) bool {
	if len(b) < 8 {
		return false
	}
	if bytes.Equal(b[:4], []byte{0x89, 'I', 'S', 'O'}) {
		if int(b[4])<<8|int(b[5]) == len(b) { // goal: signature and length of bytes
			return true
		}
	}
	return false
}

func Wait(ctx context.Context, tries int) error {
	for i := 0; i < tries; i++ {
		if i == 4 {
			if err := ctx.Err(); err != nil { // goal: context that is over, in the fifth round
				return err
			}
		}
	}
	return nil
}

func Median(values []float64) float64 {
	if len(values) < 5 {
		return 0
	}
	sorted := append([]float64(nil), values...)
	sort.Float64s(sorted)
	m := sorted[len(sorted)/2]
	if m == 2.5 { // goal: median
		return 1
	}
	return m
}

func Ascending(values []int) bool {
	if len(values) < 4 {
		return false
	}
	for i := 1; i < len(values); i++ {
		if values[i] <= values[i-1] {
			return false
		}
	}
	if values[len(values)-1] == values[0]+values[1] { // goal: order and sum of elements
		return true
	}
	return false
}

type Request struct {
	Method string `json:"method"`
	Size   int    `json:"size"`
}

func Decode(data []byte) string {
	var r Request
	if err := json.Unmarshal(data, &r); err != nil {
		return ""
	}
	if r.Size > 10 { // goal: field of a JSON document
		return "large"
	}
	return "small"
}

func validate(o Order) error {
	if o.Quantity < 1 {
		return errors.New("quantity")
	}
	if len(o.Country) != 2 {
		return errors.New("country")
	}
	if o.Country != strings.ToUpper(o.Country) {
		return errors.New("upper case")
	}
	return nil
}

func Accept(o Order) string {
	if err := validate(o); err != nil {
		return err.Error()
	}
	if o.Country[0] == 'S' && o.Quantity%12 == 0 { // goal: behind a function that validates
		return "dozen"
	}
	return "ok"
}

func Retry(attempt func(n int) error) int {
	for i := 0; i < 5; i++ {
		err := attempt(i)
		if err == nil {
			return i
		}
		if errors.Is(err, io.ErrUnexpectedEOF) { // goal: error that a callback returns
			return -1
		}
	}
	return -2
}

func Version(s string) int {
	s = strings.TrimPrefix(s, "v")
	parts := strings.SplitN(s, ".", 3)
	if len(parts) < 3 {
		return 0
	}
	major, err := strconv.Atoi(parts[0])
	if err != nil {
		return 0
	}
	minor, err := strconv.Atoi(parts[1])
	if err != nil {
		return 0
	}
	if minor > major+20 && strings.Contains(parts[2], "-rc") { // goal: parts of a version
		return 1
	}
	return 2
}
