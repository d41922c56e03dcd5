package checkout

import (
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"

	format "github.com/go-git/go-git/v5/plumbing/format/config"
	"github.com/go-git/go-git/v5/plumbing/transport"
	githttp "github.com/go-git/go-git/v5/plumbing/transport/http"

	"github.com/isodelta/isodelta/runner/revision"
)

// header is a whole HTTP header, as git's http.extraheader holds it.
type header struct{ name, value string }

// Name implements transport.AuthMethod.
func (header) Name() string { return "http-extraheader" }

// String implements transport.AuthMethod; it must not tell the secret.
func (h header) String() string { return "http-extraheader - " + h.name + ": ***" }

// SetAuth implements the transport's own interface.
func (h header) SetAuth(r *http.Request) { r.Header.Set(h.name, h.value) }

// credentials lists what to try with a server, the last being nothing.
func credentials(user *revision.Repository, address *url.URL, o Options) []transport.AuthMethod {
	var list []transport.AuthMethod
	if h, ok := extraHeader(user, address); ok {
		list = append(list, h)
	}
	if o.Token != "" && sameServer(address, o.Server) {
		// GitHub takes any name beside a token; this is the documented one.
		list = append(list, &githttp.BasicAuth{Username: "x-access-token", Password: o.Token})
	}
	return append(list, nil)
}

// holdsHeader reports whether one of them lies in the checkout.
func holdsHeader(list []transport.AuthMethod) bool {
	return slices.ContainsFunc(list, func(a transport.AuthMethod) bool {
		_, ok := a.(header)
		return ok
	})
}

// sameServer reports whether two addresses have the same scheme, host and port:
// a token is for one server.
func sameServer(address *url.URL, server string) bool {
	s, err := url.Parse(server)
	return err == nil && s.Host != "" && strings.EqualFold(s.Scheme, address.Scheme) && strings.EqualFold(s.Host, address.Host)
}

// extraHeader finds the header that actions/checkout leaves for later steps:
// http.<server>/.extraheader in the repository's configuration or, from its
// version 6 on, in a file that the configuration includes for this git directory.
func extraHeader(user *revision.Repository, address *url.URL) (header, bool) {
	key := address.Scheme + "://" + address.Host + "/"
	text := user.Setting("http", key, "extraheader")
	if text == "" {
		text = includedHeader(user, key)
	}
	name, value, ok := strings.Cut(text, ":")
	name, value = strings.TrimSpace(name), strings.TrimSpace(value)
	if !ok || name == "" || value == "" || strings.ContainsAny(text, "\r\n") {
		return header{}, false
	}
	return header{name, value}, true
}

func includedHeader(user *revision.Repository, key string) string {
	gitDir := filepath.ToSlash(user.CommonDir())
	for _, condition := range []string{"gitdir:" + gitDir, "gitdir:" + gitDir + "/"} {
		path := user.Setting("includeIf", condition, "path")
		if path == "" {
			continue
		}
		f, err := os.Open(path)
		if err != nil {
			continue
		}
		c := format.New()
		err = format.NewDecoder(f).Decode(c)
		f.Close()
		if err == nil && c.Section("http").HasSubsection(key) {
			return c.Section("http").Subsection(key).Option("extraheader")
		}
	}
	return ""
}
