import Contract
import JSON
import Store

extension Turn {
    /// Proves that the bridge can store by doing it: the reply is sent after the commit. If the
    /// disk is not writable, the turn fails, and there is no reply. While only calls for help are
    /// stored, it proves and reports that these can be.
    func proveHealth() throws -> [UInt8] {
        let row = try transaction.insertOutgoing(topic: "", payload: [], correlationData: nil)
        try transaction.deleteOutgoing(row)
        return JSONWriter.object { json in
            json.key("storing")
            json.bool(!isSparing)
            let open = concerns.filter(\.isPublic)
            if !open.isEmpty {
                json.key("concerns")
                json.array(open) { $0.string($1.rawValue) }
            }
            guard isSparing else { return }
            json.key("calls")
            json.bool(true)
        }
    }
}
