package unsubscribe

import (
	"bytes"
	"net/mail"
	"net/url"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestParseListUnsubscribe(t *testing.T) {
	for value, want := range map[string][]string{
		"<mailto:a@example.com>, <https://example.com/u>":                           {"mailto:a@example.com", "https://example.com/u"},
		" (Use this) <https://example.com/\r\n\tu?x=1> ,\r\n <mailto:a@example.com": {"https://example.com/u?x=1"},
		"https://example.com/u":                    nil,
		"<>, < >":                                  nil,
		"<https://exämple.com/u>":                  nil,
		"<" + strings.Repeat("x", 5000) + ">, <a>": {"a"},
		strings.Repeat("<a>,", 100):                {"a", "a", "a", "a", "a", "a", "a", "a"},
	} {
		if diff := cmp.Diff(want, parseListUnsubscribe(value)); diff != "" {
			t.Errorf("%.60q (-want +got):\n%s", value, diff)
		}
	}
}

func TestParseLinkAcceptsOnlyWebAddresses(t *testing.T) {
	for uri, want := range map[string]string{
		"https://example.com/u?a=b#frag": "https://example.com/u?a=b", "HTTP://example.com": "http://example.com",
		"https://user:secret@example.com/": "", "https:///x": "", "https:example.com": "", "ftp://example.com/": "", "javascript:alert(1)": "", "file:///etc/passwd": "", "//example.com": "", "https://": "", "https://a<b/": "", "https://[::1]:443/": "https://[::1]:443/",
	} {
		got := ""
		if u := parseLink(uri); u != nil {
			got = u.String()
		}
		if got != want {
			t.Errorf("%s is %q, want %q", uri, got, want)
		}
	}
}

func TestParseMailto(t *testing.T) {
	for uri, want := range map[string]string{
		"mailto:leave@example.com":                                           "leave@example.com||unsubscribe",
		"MAILTO:leave@example.com?subject=stop%20it&body=a+b%0D%0Ac":         "leave@example.com|stop it|a+b\r\nc",
		"mailto:?to=leave@example.com&Subject=x":                             "leave@example.com|x|unsubscribe",
		"mailto:leave%2Bid=1@example.com?bcc=b@example.org&from=c@d&x-a=b":   "leave+id=1@example.com||unsubscribe",
		"mailto:a@example.com,b@example.com":                                 "",
		"mailto:a@example.com?to=b@example.com":                              "",
		"mailto:a@example.com?subject=x%0D%0ABcc:%20b@example.org":           "",
		"mailto:a@example.com%0D%0ABcc:b@example.org":                        "",
		"mailto:a@example.com?subject=%zz":                                   "",
		"mailto:group:a@example.com;":                                        "",
		"mailto:":                                                            "",
		"https://example.com":                                                "",
		"mailto:a@example.com?body=" + strings.Repeat("x", maxMailBody+1):    "",
		"mailto:a@example.com?subject=" + strings.Repeat("x", 501):           "",
		"mailto:a@example.com?subject=%E2%82%AC&subject=last%20one#fragment": "a@example.com|last one|unsubscribe",
	} {
		got := ""
		if m := parseMailto(uri); m != nil {
			got = m.To[0].Address + "|" + m.Subject + "|" + m.Text
		}
		if got != want {
			t.Errorf("%.80s is %q, want %q", uri, got, want)
		}
	}
}

// signedHeaders returns the headers of a valid mailing list mail, with changes.
func signedHeaders(change map[string][]string) map[string][]string {
	h := map[string][]string{
		"list-unsubscribe":      {"<https://example.com/u>"},
		"list-unsubscribe-post": {"List-Unsubscribe=One-Click"},
		"dkim-signature":        {"v=1; a=rsa-sha256; d=Example.com; s=sel; h=From:Subject:List-Unsubscribe:\r\n\tList-Unsubscribe-Post; bh=x; b=AbCd Ef+/12\r\n 34="},
		"authentication-results": {"mx.google.com;\r\n dkim=pass header.i=@example.com header.s=sel header.b=AbCdEf+/;" +
			" spf=pass (google.com: domain of a@example.com designates 192.0.2.1 as permitted sender) smtp.mailfrom=a@example.com"},
	}
	for name, values := range change {
		h[name] = values
	}
	return h
}

func TestOneClickSignerRequiresValidSignature(t *testing.T) {
	results := func(s string) map[string][]string { return map[string][]string{"authentication-results": {s}} }
	for name, c := range map[string]struct {
		change map[string][]string
		want   string
	}{
		"in order":                               {nil, "example.com"},
		"by its domain":                          {results("mx.google.com; dkim=pass header.d=example.com"), "example.com"},
		"by an agent in a subdomain":             {results("mx.google.com; dkim=pass (2048) header.i=x@list.example.com header.s=sel"), "example.com"},
		"in another case":                        {map[string][]string{"list-unsubscribe-post": {" list-unsubscribe = one-click "}}, "example.com"},
		"a second signature is the valid one":    {results("mx.google.com; dkim=fail header.i=@x.example; dkim=pass header.i=@example.com"), "example.com"},
		"not offered":                            {map[string][]string{"list-unsubscribe-post": nil}, ""},
		"something else is offered":              {map[string][]string{"list-unsubscribe-post": {"List-Unsubscribe=Two-Clicks"}}, ""},
		"offered twice":                          {map[string][]string{"list-unsubscribe": {"<https://evil.example/>", "<https://example.com/u>"}}, ""},
		"not covered":                            {map[string][]string{"dkim-signature": {"d=example.com; s=sel; h=From:List-Unsubscribe; b=AbCdEf+/"}}, ""},
		"no signature":                           {map[string][]string{"dkim-signature": nil}, ""},
		"not valid":                              {results("mx.google.com; dkim=fail header.i=@example.com"), ""},
		"another's is valid":                     {results("mx.google.com; dkim=pass header.i=@badexample.com header.s=sel"), ""},
		"another selector":                       {results("mx.google.com; dkim=pass header.i=@example.com header.s=other"), ""},
		"another signature of the domain":        {results("mx.google.com; dkim=pass header.i=@example.com header.s=sel header.b=ZZZ"), ""},
		"somebody else says so":                  {results("mx.evil.example; dkim=pass header.i=@example.com"), ""},
		"somebody else says so first":            {map[string][]string{"authentication-results": {"mx.evil.example; x=y", "mx.google.com; dkim=pass header.i=@example.com"}}, ""},
		"a comment says so":                      {results("mx.google.com; spf=pass (a; dkim=pass header.i=@example.com ) x=y"), ""},
		"a quoted string says so":                {results(`mx.google.com; spf=pass smtp.mailfrom="a; dkim=pass header.i=@example.com "@b`), ""},
		"a comment that does not end":            {results("mx.google.com; dkim=pass header.i=@example.com; spf=pass (a"), ""},
		"nothing says so":                        {map[string][]string{"authentication-results": nil}, ""},
		"a signature of no domain":               {map[string][]string{"dkim-signature": {"h=list-unsubscribe:list-unsubscribe-post; b=A"}}, ""},
		"the name in letters that look the same": {map[string][]string{"dkim-signature": {"d=example.com; h=li\u017ft-unsubscribe:li\u017ft-unsubscribe-post"}}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			got, why := oneClickSigner(signedHeaders(c.change))
			if got != c.want || (why == "") != (got != "") {
				t.Errorf("got %q, %q, want %q", got, why, c.want)
			}
		})
	}
}

func FuzzListUnsubscribe(f *testing.F) {
	f.Add("<mailto:a@example.com?subject=x>, (c) <https://example.com/u>")
	f.Add("<mailto:a%40b@example.com?to=&body=%0d%0a.%0d%0a>")
	f.Add("<https://a@b/><http://[::1]:80/%00><http://<0>")
	f.Fuzz(func(t *testing.T, value string) {
		for _, uri := range parseListUnsubscribe(value) {
			if u := parseLink(uri); u != nil {
				again, err := url.Parse(u.String())
				if err != nil || again.Host != u.Host || u.User != nil || strings.ContainsAny(u.String(), "\r\n <>") {
					t.Errorf("%q became the link %q", uri, u)
				}
			}
			m := parseMailto(uri)
			if m == nil {
				continue
			}
			raw, err := m.Bytes(bytes.NewReader(make([]byte, 1<<10)))
			if err != nil {
				t.Fatalf("%q: %v", uri, err)
			}
			read, err := mail.ReadMessage(bytes.NewReader(raw))
			if err != nil {
				t.Fatalf("%q: %v", uri, err)
			}
			to, err := read.Header.AddressList("To")
			if err != nil || len(to) != 1 || read.Header.Get("Bcc")+read.Header.Get("Cc")+read.Header.Get("From") != "" {
				t.Errorf("%q became a mail with %v", uri, read.Header)
			}
		}
	})
}

func FuzzAuthenticationResults(f *testing.F) {
	f.Add("mx.google.com; dkim=pass header.i=@example.com header.s=sel header.b=AbC; spf=pass (x (y\\) z) \"q\\\"\") a=b")
	f.Fuzz(func(t *testing.T, field string) {
		plain, ok := withoutComments(field)
		if ok && strings.ContainsAny(plain, `("`) {
			t.Errorf("%q keeps %q", field, plain)
		}
		if len(passedSignatures(field)) > 0 && !strings.Contains(asciiLower(plain), "dkim=pass") {
			t.Errorf("%q says that a signature is valid", field)
		}
		parseTags(field)
	})
}
