internal import Contract

extension PayloadRow {
    /// The schemas of all payloads, for `components`.
    static var schemas: [YAML.Member] {
        all.map { row in
            YAML.Member(key: row.name, value: row.schema.yaml.described(by: row.words))
        }
    }
}

extension YAML {
    static func reference(_ payload: String) -> YAML {
        ["$ref": "#/components/schemas/\(payload)"]
    }
}
