package metadata

import "strings"

// verbClasses are English verbs that name the same act on a record, one class
// a line: what a person calls "remove" a tool may call "delete". They are the
// vocabulary of record keeping at large (create, read, find, update, delete,
// move, send, start, stop) and name no tool, product or kind of record.
const verbClasses = `
create add new make insert append register generate start
get read show list view display fetch retrieve open load see look
find search locate lookup query
update edit change modify revise set alter adjust replace
delete remove erase drop discard clear rid strip purge
save store write record put keep persist
send deliver post submit
move rename relocate transfer
connect link attach join
start begin launch run execute
stop end cancel abort halt finish
compare differ diff
describe explain
convert translate transform
`

// verbClass maps a verb's stem to the stems of its fellows.
var verbClass = func() map[string][]string {
	classes := map[string][]string{}
	for _, line := range strings.Split(strings.TrimSpace(verbClasses), "\n") {
		verbs := strings.Fields(line)
		for _, verb := range verbs {
			for _, fellow := range verbs {
				if s := stem(fellow); fellow != verb {
					classes[stem(verb)] = append(classes[stem(verb)], s)
				}
			}
		}
	}
	return classes
}()
