extension ExportItem {
    public static func incident(_ incident: Incident) -> ExportItem {
        ExportItem("incident", Incident.payload, incident)
    }
}
