package main

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"mime/quotedprintable"
	"time"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/japanese"

	"kota/bundles/bundletest"
)

// otherCharsets returns raw messages in charsets other than UTF-8.
func otherCharsets(now time.Time) []sampleMail {
	return []sampleMail{
		{ago: 13 * day, mail: rawMail(now.Add(-13*day), "Jürgen Weiß <juergen@kuchen.example>", "Grüße aus Köln", "iso-8859-1", charmap.ISO8859_1,
			"Liebe Robin,\n\nschöne Grüße aus Köln! Das Rezept für die Brötchen hängt an der Tür.\n\nJürgen\n")},
		{ago: 18 * day, mail: rawMail(now.Add(-18*day), "田中 <tanaka@pan.example>", "パンの件", "iso-2022-jp", japanese.ISO2022JP,
			"ロビン様\n\n先日はありがとうございました。食パンを十個お願いします。\n\n田中\n")},
		{ago: 25 * day, mail: rawMail(now.Add(-25*day), "Ольга <olga@hleb.example>", "Хлеб", "koi8-r", charmap.KOI8R,
			"Здравствуйте, Робин!\n\nКогда можно забрать хлеб?\n\nОльга\n")},
		{ago: 29 * day, mail: rawMail(now.Add(-29*day), "René <rene@pain.example>", "“Smart” quotes", "windows-1252", charmap.Windows1252,
			"It’s all “smart” – even the dashes… 12 €\n")},
	}
}

// rawMail returns a plain-text message in the given charset. encoder must encode
// text into that charset. The header of the message has encoded words in UTF-8.
func rawMail(date time.Time, from, subject, charset string, encoder encoding.Encoding, text string) bundletest.GoogleMail {
	encoded, err := encoder.NewEncoder().Bytes([]byte(text))
	if err != nil {
		panic(err) // the sample text does not fit its charset
	}
	word := func(s string) string {
		return "=?utf-8?B?" + base64.StdEncoding.EncodeToString([]byte(s)) + "?="
	}
	name, address, _ := bytes.Cut([]byte(from), []byte(" <"))
	var out bytes.Buffer
	fmt.Fprintf(&out, "From: %s <%s\r\nTo: %s\r\nSubject: %s\r\nDate: %s\r\nMessage-ID: <%s.%d@sample.example>\r\nMIME-Version: 1.0\r\nContent-Type: text/plain; charset=%s\r\nContent-Transfer-Encoding: quoted-printable\r\n\r\n",
		word(string(name)), address, owner, word(subject), date.Format(time.RFC1123Z), charset, date.Unix(), charset)
	body := quotedprintable.NewWriter(&out)
	body.Write(encoded)
	body.Close()
	return bundletest.GoogleMail{Raw: out.Bytes(), Labels: inbox}
}
