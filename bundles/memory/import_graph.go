package memory

import (
	"encoding/json"
	"strconv"

	"kota/store"
)

// graphSource marks memories imported from server-memory.
const graphSource = "@modelcontextprotocol/server-memory"

func (p *parser) entity(where string, line json.RawMessage) {
	var e entity
	if err := json.Unmarshal(line, &e); err != nil || e.Name == "" {
		p.addProblem(where, "an entity with a name and observations", line)
		return
	}
	if at, twice := p.entities[e.Name]; twice {
		p.graph[at].Observations = append(p.graph[at].Observations, e.Observations...)
		return
	}
	p.entities[e.Name] = len(p.graph)
	p.graph = append(p.graph, &e)
}

func (p *parser) relation(where string, line json.RawMessage) {
	var r relation
	if err := json.Unmarshal(line, &r); err != nil || r.From == "" || r.To == "" {
		p.addProblem(where, "a relation with from, to and relationType", line)
		return
	}
	p.relations = append(p.relations, r)
}

// finish adds the relations to their entities and turns the entities into entries. A
// relation from an undefined entity creates that entity.
func (p *parser) finish() {
	for _, r := range p.relations {
		at, known := p.entities[r.From]
		if !known {
			at = len(p.graph)
			p.entities[r.From] = at
			p.graph = append(p.graph, &entity{Name: r.From})
		}
		p.graph[at].relations = append(p.graph[at].relations, object{"type": r.Type, "to": r.To})
	}
	for _, e := range p.graph {
		value := object{"observations": append([]string{}, e.Observations...)}
		if len(e.relations) > 0 {
			value["relations"] = e.relations
		}
		raw, err := json.Marshal(value)
		if err != nil {
			panic("memory: " + err.Error()) // strings and slices of strings always marshal
		}
		p.add("entity "+strconv.Quote(e.Name), store.Entry{Key: e.Name, Value: raw, Category: &e.Type, Source: graphSource})
	}
}
