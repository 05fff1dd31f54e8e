internal import JSON

extension ExportItem {
    public static func incident(_ incident: Incident) -> ExportItem {
        ExportItem("incident") { $0.incident(incident) }
    }
}
