package metadata

import (
	"encoding/json"
	"testing"
)

const cleanCall = `{"key":"wifi password","value":{"ssid":"home","password":"x","floors":[1,2]},"category":"home","tags":["a","b"],` +
	`"expires_at":"2026-01-02T03:04:05Z","importance":3,"weight":0.5,"pinned":true,"mode":"upsert","if_version":3,"ranks":[1,2],"filter":{"field":"x"}}`

func BenchmarkDecode(b *testing.B) {
	s := mustInfer[noteIn](b)
	for _, call := range []struct{ name, args string }{
		{"clean", cleanCall},
		{"small", `{"key":"wifi password","value":"x"}`},
		{"repaired", `{"name":"wifi password","value":"x","tags":"[\"a\",\"b\"]","importance":"3","pinned":"true","Mode":"Upsert","ifVersion":3.0}`},
	} {
		b.Run(call.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				var in noteIn
				if err := s.Decode(json.RawMessage(call.args), &in); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// BenchmarkUnmarshal is the lower limit: only encoding/json, on the clean call above.
func BenchmarkUnmarshal(b *testing.B) {
	for b.Loop() {
		var in noteIn
		if err := json.Unmarshal([]byte(cleanCall), &in); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkInfer(b *testing.B) {
	for b.Loop() {
		if _, err := Infer[noteIn](); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkCompile(b *testing.B) {
	s := mustInfer[noteIn](b)
	for b.Loop() {
		if _, err := s.content().compile(); err != nil {
			b.Fatal(err)
		}
	}
}
