package search

import (
	"strings"
	"sync"
)

// stopWords are words that do not say what a question is about, in English, German, French,
// Spanish, Italian, Chinese and Japanese. Words with a meaning of their own in one of these
// languages ("hat", "war", "son", "sale") are not included. The sets are built by the first
// search and not when the program starts, to keep the start fast.
var stopWords = setOf(`
	a about am an and any anything are aren as at be been being but by can cannot could did didn do does doesn doing don
	for from get give going had has have haven having he her hers him his how i if in into is isn it its ive im id just know let lets
	like ll many me might mine much my myself need of on or our ours out please re remember remind s she should shall
	so some something such t tell than that the their theirs them then there these they this those to too us ve
	was wasn we were what whats when where wheres which while who whos whom whose why will with would wouldn you your yours
	again also call called ever find going made make nor not take used want wants
	aber als am auf aus bei bin bist da damit das dass dein deine dem den denn der des dich dir doch du ein eine einem einen einer
	eines er es fuer für haben habe hast heisst heißt ich ihr ihre ihren im ist ja kann kannst mein meine meinem meinen meiner meines
	mich mir mit nach nicht noch nur oder sein seine sich sie sind so und uns unser unsere vom von vor wann warum was
	wer werden wie wird wo woher wohin zu zum zur ueber über
	au aux avec ce ces cette chez dans de du elle elles en est et etait était ete été il ils je la le les leur leurs lui ma mais
	mes mon ne nos notre nous ou où par pas pour quand que quel quelle quelles quels qui quoi sa se ses suis sur ta te tes
	toi ton tu un une vos votre vous y
	al como cómo con cual cuál cuando cuándo del donde dónde el ella ellos era eres es esta está este estos fue ha la las lo los
	mi mis nuestro o para pero por porque que qué quien quién se su sus te tu tus una unos y yo
	che chi ci come con cosa da dei del della delle di e gli ho i il io la le lo mia mie mio nel nella non per quale quando
	questo sei sono suo sua tuo tua un uno
	我的 你的 他的 她的 我们 什么 是什 么时 时候 怎么 哪里 哪儿 在哪 多少 请问 是谁 谁是 私の です ます すか は何 何で どこ いつ だれ 何時 ですか`)

// setOf returns a function that returns the set of the words in text.
func setOf(text string) func() map[string]bool {
	return sync.OnceValue(func() map[string]bool {
		set := map[string]bool{}
		for word := range strings.FieldsSeq(text) {
			set[fold(word)] = true
		}
		return set
	})
}
