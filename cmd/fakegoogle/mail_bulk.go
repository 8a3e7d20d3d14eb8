package main

import (
	"fmt"
	"strings"
	"time"

	"kota/bundles/bundletest"
)

// bulkMail returns newsletters, notices, list mail and spam.
func bulkMail(now time.Time) []sampleMail {
	letters := []sampleMail{
		newsletter("Crumb Weekly <news@crumb.example>", "The sourdough issue", "https://crumb.example/u/8h2", 1*day, true),
		newsletter("Crumb Weekly <news@crumb.example>", "Ten knives, one winner", "https://crumb.example/u/8h2", 8*day, true),
		newsletter("Crumb Weekly <news@crumb.example>", "Butter, again", "https://crumb.example/u/8h2", 15*day, true),
		newsletter("ShoeBarn <deals@shoebarn.example>", "48 hours: half price", "https://shoebarn.example/unsubscribe?id=5", 10*hour, true),
		newsletter("Town Council <letter@town.example>", "Roadworks on Harbour Street", "mailto:leave@town.example?subject=leave", 4*day, false),
		{ago: 5 * hour, mail: bundletest.GoogleMail{
			From: "CodeForge <notifications@forge.example>", Subject: "[bakery/site] Order form loses the allergy field (#31)", Labels: forums,
			Headers: []string{"List-Id: bakery/site <site.bakery.forge.example>", "Precedence: list", "List-Unsubscribe: <mailto:unsub+31@forge.example>, <https://forge.example/unsub/31>", "List-Unsubscribe-Post: List-Unsubscribe=One-Click"},
			Text:    "sasha opened an issue:\n\nIf you go back a page, the field is empty.\n\n-- \nReply to this email directly or view it on CodeForge.\n",
		}},
		{ago: 3 * hour, mail: bundletest.GoogleMail{
			From: "Circle <hello@circle.example>", Subject: "Zoë and 3 others posted", Labels: social,
			HTML: `<div style="font-size:0;color:#fff">` + strings.Repeat("\u200b\u034f ", 40) + `See what you missed</div><p><b>Zoë</b>: new shoes!</p><p><a href="https://circle.example/p/1?token=abc">Open</a></p>`,
		}},
		{ago: 22 * hour, labels: []string{"Receipts"}, mail: bundletest.GoogleMail{
			From: "PayWell <service@paywell.example>", Subject: "Receipt for your payment to Paper & Co", Labels: updates,
			Text: "You paid 64.20 EUR to Paper & Co.\nTransaction 9XK22A\n",
		}},
		{ago: 45 * time.Minute, mail: bundletest.GoogleMail{
			From: "Forge Security <no-reply@forge.example>", Subject: "Your sign-in code", Labels: []string{"INBOX", "UNREAD", "CATEGORY_UPDATES"},
			Text: "482 113 is your code. It is good for ten minutes. Never give it to anyone.\n",
		}},
		{ago: 9 * hour, mail: bundletest.GoogleMail{
			From: "Prince <prince@lottery.example>", Subject: "You WON", Labels: spam, Text: "Dear friend, send us your account number.\n",
		}},
		{ago: 2 * day, mail: bundletest.GoogleMail{
			From: "Pharma <pills@cheap.example>", Subject: "Re: your order", Labels: spam, HTML: "<a href='http://cheap.example'>Click</a>",
		}},
	}
	return letters
}

// newsletter returns a newsletter whose unsubscribe URL is leave. The URL
// supports unsubscribing with one click if oneClick is true.
func newsletter(from, subject, leave string, ago time.Duration, oneClick bool) sampleMail {
	headers := []string{"List-Unsubscribe: <" + leave + ">", "Precedence: bulk"}
	if oneClick {
		headers = append(headers, "List-Unsubscribe-Post: List-Unsubscribe=One-Click")
	}
	var body strings.Builder
	for i, paragraph := range []string{"Hello Robin,", subject + ": all you wanted to know, in five minutes.", "Read on at our site."} {
		fmt.Fprintf(&body, `<tr><td style="padding:8px"><p>%s</p><a href="https://click.example/%d?u=robin">more</a></td></tr>`, paragraph, i)
	}
	return sampleMail{ago: ago, mail: bundletest.GoogleMail{
		From: from, Subject: subject, Labels: promotions, Headers: headers,
		HTML: `<html><body><table width="600">` + body.String() + `</table><p><small>You get this because you once bought something. <a href="` + leave + `">Unsubscribe</a></small></p><img src="https://open.example/o.gif?u=robin" width="1" height="1" alt=""></body></html>`,
	}}
}
