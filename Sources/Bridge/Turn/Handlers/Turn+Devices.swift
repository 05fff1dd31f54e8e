import Contract
import Store

extension Turn {
    func listDevices(of person: Person) -> [UInt8] {
        JSONWriter.object { json in
            json.key("devices")
            json.array(person.devices) { json, device in
                json.object { json in
                    json.key("device")
                    json.string(device.name.text)
                    json.key("createdAt")
                    json.time(device.createdAt)
                    json.key("kind")
                    json.string(device.speaks.rawValue)
                }
            }
        }
    }
}
