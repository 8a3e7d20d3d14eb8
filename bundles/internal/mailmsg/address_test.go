package mailmsg_test

import (
	"net/mail"
	"strings"
	"testing"

	"kota/bundles/internal/mailmsg"
)

func TestParseAddressAcceptsOneAddress(t *testing.T) {
	for _, text := range []string{
		"", " ", "ann", "ann@", "@example.com", "a@b.c, x@evil", "a@b.c,x@evil.com", "a@b.c; x@evil.com", "a@b.c;", "a@b.c x@evil.com",
		"Ann <a@b.c> <x@evil.com>", "Ann <a@b.c>, x@evil.com", "team: a@b.c, x@evil.com;", "team: a@b.c;", "undisclosed-recipients:;", "team:;",
		"<@evil.com:a@b.c>", "<@evil.com,@other.com:a@b.c>", "a@[127.0.0.1]", "a@[IPv6:::1]", "a@b.c (x@evil.com)", `"a@b.c, x@evil.com"`, `"x@evil.com,"@b.c`, `"a b"@b.c`,
		"mailto:a@b.c", "a@@b.c", "a@b@c.d", "a..b@c.d", ".a@c.d", "a.@c.d", "a@c..d", "a@-c.d", "a@c_d.e", "a@" + strings.Repeat("x", 64) + ".com",
		strings.Repeat("a", 65) + "@example.com", strings.Repeat("a", 5000) + "@example.com", "a@" + strings.Repeat("x.", 130) + "com", "Ann" + strings.Repeat("n", 2000) + " <a@b.c>",
		"müller@example.com", "a\r\nBcc: x@evil.com <a@b.c>", "a@b.c\n", "\ta@b.c", "a@b.c\x00", "A\u2028 <a@b.c>", "A\u0085 <a@b.c>", "\xff <a@b.c>",
		"=?utf-8?q?a=0D=0ABcc:_x?= <a@b.c>", "=?utf-8?q?a=E2=80=A8?= <a@b.c>", "Ann <a@b.c", "a@b.c>", "<>", "a@xn--a.com", "a@b", "root@localhost", "Ann <ann@mail>", "A\u202Enn <a@b.c>", "A\u2068nn <a@b.c>",
	} {
		if a, err := mailmsg.ParseAddress(text); err == nil {
			t.Errorf("%.80q: got %v", text, a)
		}
	}
}

func TestParseAddressAsPeopleWriteIt(t *testing.T) {
	for text, want := range map[string]mail.Address{
		"ann@example.com":                                   {Address: "ann@example.com"},
		" <ann@example.com> ":                               {Address: "ann@example.com"},
		"Ann Lee <ann@example.com>":                         {Name: "Ann Lee", Address: "ann@example.com"},
		`"Lee, Ann; the 1st" <ann@example.com>`:             {Name: "Lee, Ann; the 1st", Address: "ann@example.com"},
		"Zoë <zoe+news@EXAMPLE.com>":                        {Name: "Zoë", Address: "zoe+news@example.com"},
		"=?iso-2022-jp?b?GyRCRnxLXBsoQg==?= <a@example.jp>": {Name: "日本", Address: "a@example.jp"},
		"a@bücher.example":                                  {Address: "a@xn--bcher-kva.example"},
		"a@раураl.com":                                      {Address: "a@xn--l-7sba6dbr.com"}, // Cyrillic, except for the l
		"o'neil@b.c":                                        {Address: "o'neil@b.c"},
		strings.Repeat("a", 64) + "@example.com":            {Address: strings.Repeat("a", 64) + "@example.com"},
	} {
		if got, err := mailmsg.ParseAddress(text); err != nil || *got != want {
			t.Errorf("%q: got %v, %v; want %v", text, got, err, want)
		}
	}
}

func TestParseAddressListIsLenient(t *testing.T) {
	for value, want := range map[string][2]string{ // the addresses, the rest
		"":                                      {"", ""},
		"Ann <ann@example.com>,":                {"Ann <ann@example.com>", ""},
		"Ann <ann@example.com>, half, bob@b.c":  {"Ann <ann@example.com> bob@b.c", "half"},
		"team: bob@b.c, \"C, d\" <c@b.c>;":      {"bob@b.c \"C, d\" <c@b.c>", ""},
		"=?utf-8?q?C=0Ad?= <c@b.c>":             {"C d <c@b.c>", ""},
		"\"müller\"@b.c, a@b.c":                 {"a@b.c", "müller@b.c"},
		"\"A\u202Enn\" <c@b.c>, root@localhost": {"Ann <c@b.c> root@localhost", ""},
		"=?x-none?q?C=F6?= <c@b.c>":             {"=?utf-8?q?C=C3=B6?= <c@b.c>", ""}, // read as windows-1252

		// Lists that violate RFC 5322.
		`"Doe, Jane" <jane@b.c>, info@b@c.de`:             {`"Doe, Jane" <jane@b.c>`, "info@b@c.de"},
		`info@b@c.de, "Doe, \"J, D\" Jane" <jane@b.c>`:    {`"Doe, \"J, D\" Jane" <jane@b.c>`, "info@b@c.de"},
		`Jane (Sales, Rome) <jane@b.c>, info@b@c.de`:      {"Jane <jane@b.c>", "info@b@c.de"},
		`R&amp;D &#x200B;team <rd@b.c>; x; bob@b.c`:       {`"R&amp;D &#x200B;team" <rd@b.c> bob@b.c`, "x"},
		`Doe, Jane <jane@b.c>, bob@b.c`:                   {"Jane <jane@b.c> bob@b.c", "Doe"},
		`jane@b.c; "Doe; J" <j@b.c>;bob@b.c`:              {`jane@b.c "Doe; J" <j@b.c> bob@b.c`, ""},
		`team: "C, d" <c@b.c>, x@y@z;, bob@b.c`:           {`"C, d" <c@b.c> bob@b.c`, "x@y@z"},
		`x@y@z, undisclosed-recipients:;`:                 {"", "x@y@z"},
		`jane@b.c <jane@b.c>, Jörg [ext] <joerg@b.c>`:     {`"jane@b.c" <jane@b.c> =?utf-8?q?J=C3=B6rg_=5Bext=5D?= <joerg@b.c>`, ""},
		`"Doe, Jane <jane@b.c>, bob@b.c`:                  {"Jane <jane@b.c> bob@b.c", `"Doe`},
		`Jane <jane@b.c, bob@b.c, x@y@z`:                  {"bob@b.c", "Jane <jane@b.c x@y@z"},
		`Jane (away <jane@b.c>, bob@b.c`:                  {`"Jane (away" <jane@b.c> bob@b.c`, ""},
		`Jane "Doe, jane@b.c, "x" <x@b.c>`:                {"", `Jane "Doe, jane@b.c, "x" <x@b.c>`},
		`J (a (b, c), d) <j@b.c>, x@y@z`:                  {"J <j@b.c>", "x@y@z"},
		`a@b.c <evil@b.c> <good@b.c>, bob@b.c`:            {"bob@b.c", "a@b.c <evil@b.c> <good@b.c>"},
		`"a@b.c" jane@b.c, <@evil.com:x@b.c>, bob@b.c`:    {"bob@b.c", `"a@b.c" jane@b.c <@evil.com:x@b.c>`},
		`"C, d" <c@b.c>, , ,x@y@z`:                        {`"C, d" <c@b.c>`, "x@y@z"},
		`"quoted \" and, \\" <c@b.c>, x@y@z`:              {`"quoted \" and, \\" <c@b.c>`, "x@y@z"},
		`=?utf-8?q?Doe=2C_Jane?= <jane@b.c>, x@y@z`:       {`"Doe, Jane" <jane@b.c>`, "x@y@z"},
		`=?utf-8?q?Doe=2C_Jane?= [ext] <jane@b.c>, a@b.c`: {`"Doe, Jane [ext]" <jane@b.c> a@b.c`, ""},
	} {
		list, rest := mailmsg.ParseAddressList(value)
		var written []string
		for _, a := range list {
			written = append(written, mailmsg.Format(a))
		}
		if got := [2]string{strings.Join(written, " "), strings.Join(rest, " ")}; got != want {
			t.Errorf("%q: got %q, want %q", value, got, want)
		}
	}
}

func TestOwnerKeyIgnoresSpelling(t *testing.T) {
	for _, c := range []struct {
		a, b             string
		canonical, owner bool
	}{
		{"Ann@Example.com", "ann@example.COM", true, true},
		{"a@bücher.example", "a@xn--bcher-kva.example", true, true},
		{"ann+news@example.com", "ann@example.com", false, true},
		{"an.n+x@gmail.com", "ann@googlemail.com", false, true},
		{"an.n@example.com", "ann@example.com", false, false},
		{"ann@example.com", "ann@example.org", false, false},
	} {
		if got := mailmsg.Canonical(c.a) == mailmsg.Canonical(c.b); got != c.canonical {
			t.Errorf("canonical %s and %s: got %t", c.a, c.b, got)
		}
		if got := mailmsg.OwnerKey(c.a) == mailmsg.OwnerKey(c.b); got != c.owner {
			t.Errorf("owner of %s and %s: got %t", c.a, c.b, got)
		}
	}
}

// A list is read like its elements, however its other elements are written.
func FuzzParseAddressList(f *testing.F) {
	for _, text := range []string{`"Doe, Jane" <jane@b.c>`, "bob@b.c", "Jane (Rome, Italy) <jane@b.c>", `"\"" <a@b.c>`, "team: a@b.c;"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		one, err := mail.ParseAddress(text)
		if err != nil {
			return
		}
		if list, rest := mailmsg.ParseAddressList(text); len(list)+len(rest) != 1 {
			t.Fatalf("%q: got %v and %q", text, list, rest)
		}
		for _, value := range []string{text + ", x@y@z", "x@y@z, " + text} {
			list, rest := mailmsg.ParseAddressList(value)
			if len(list)+len(rest) != 2 || len(list) == 1 && list[0].Address != one.Address && mailmsg.Canonical(list[0].Address) != mailmsg.Canonical(one.Address) {
				t.Errorf("%q: got %v and %q, want %v", value, list, rest, one)
			}
		}
	})
}

// Every accepted address is also exactly one address for a strict parser.
func FuzzParseAddress(f *testing.F) {
	for _, text := range []string{"ann@example.com", "Ann <ann@example.com>", `"a, b" <a@b.c>`, "a@b.c, x@evil", "g:a@b.c;", "=?utf-8?q?=0D?= <a@b.c>", "a@ſ.com", `"\"" <a@b.c>`} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		a, err := mailmsg.ParseAddress(text)
		if err != nil {
			return
		}
		raw, err := (&mailmsg.Message{From: a, To: []*mail.Address{a}, Text: "x"}).Bytes(nil)
		if err != nil {
			t.Fatalf("%q was accepted and cannot be written: %v", text, err)
		}
		got, _ := read(t, raw)
		list, err := got.Header.AddressList("To")
		if err != nil || len(list) != 1 || *list[0] != *a {
			t.Errorf("%q: got %v, %v; want %v", text, list, err, a)
		}
		if again, err := mailmsg.ParseAddress(mailmsg.Format(a)); err == nil && *again != *a {
			t.Errorf("%q: read again it is %v", text, again)
		}
	})
}

func TestDecodeHeaderOfAnyCharsetAndLength(t *testing.T) {
	for value, want := range map[string]string{
		"=?utf-8?q?Gr=C3=BC=C3=9Fe?=":                "Grüße",
		"=?iso-2022-jp?b?GyRCJDMkcyRLJEEkTxsoQg==?=": "こんにちは",
		"=?x-nobody-knows?q?caf=E9?= today":          "café today",
		"=?utf-8?q?two?=\r\n =?utf-8?q?_lines?=":     "two lines",
		"no =?utf-8?q?end":                           "no =?utf-8?q?end",
	} {
		if got := mailmsg.DecodeHeader(value); got != want {
			t.Errorf("%q: got %q, want %q", value, got, want)
		}
	}
	if n := len(mailmsg.DecodeHeader(strings.Repeat("=?utf-8?q?=41?= ", 1_000_000))); n == 0 || n > 64<<10 {
		t.Errorf("of 16 MB of encoded words %d bytes are decoded, want at most 64 KiB", n)
	}
}
