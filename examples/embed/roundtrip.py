"""Launches a kernel from Python with nothing but ctypes and the CUDA driver: the cubin is the code, the manifest says
how it is called.

    build/tmemc build examples/roundtrip.tmx -arch=sm_100f --emit=cubin,manifest
    python3 examples/embed/roundtrip.py roundtrip.cubin roundtrip.manifest.json

Ends with 0, with 4 when a value came back wrong, and with 3 and the reason when no kernel could be launched. Driver,
Program and Kernel do not know this kernel: take them for any other.
"""
import ctypes, hashlib, json, random, sys


class Failure(Exception):
    pass


class Driver:
    """The CUDA driver and the primary context of a device, current in this thread. `driver.cuMemFree_v2(x)` is a call
    that raises when it fails."""

    def __init__(self, ordinal=0):
        try:
            self.library = ctypes.CDLL("libcuda.so.1")
        except OSError as why:
            raise Failure(f"there is no CUDA driver: {why}")
        self.cuInit(0)
        self.device = ctypes.c_int()
        self.cuDeviceGet(ctypes.byref(self.device), ordinal)
        self.context = ctypes.c_void_p()
        self.cuDevicePrimaryCtxRetain(ctypes.byref(self.context), self.device)
        self.cuCtxSetCurrent(self.context)

    def __getattr__(self, name):
        function = getattr(self.library, name)

        def call(*arguments):
            code = function(*arguments)
            if code != 0:
                text = ctypes.c_char_p()
                self.library.cuGetErrorName(code, ctypes.byref(text))
                raise Failure(f"{name}: {(text.value or b'an unknown error').decode()} ({code})")
        return call

    def capability(self):
        numbers = []
        for attribute in (75, 76):  # CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, _MINOR
            number = ctypes.c_int()
            self.cuDeviceGetAttribute(ctypes.byref(number), attribute, self.device)
            numbers.append(number.value)
        return numbers

    def allocate(self, size):
        address = ctypes.c_uint64()
        self.cuMemAlloc_v2(ctypes.byref(address), ctypes.c_size_t(size))
        return address

    def upload(self, data):
        address = self.allocate(len(data))
        self.cuMemcpyHtoD_v2(address, data, ctypes.c_size_t(len(data)))
        return address

    def download(self, address, size):
        data = ctypes.create_string_buffer(size)
        self.cuMemcpyDtoH_v2(data, address, ctypes.c_size_t(size))
        return data.raw


class Program:
    """A cubin, loaded after its manifest has been found to be its own and to name this device."""

    def __init__(self, driver, cubin, manifest):
        self.driver = driver
        digest = hashlib.sha256(cubin).hexdigest()
        target = next((each for each in manifest["targets"] if each["cubin"]["sha256"] == digest), None)
        if target is None:
            raise Failure("the manifest is not of this cubin")
        major, minor = driver.capability()
        need = target["capability"]
        exact = target["runs_on"] == "capability"
        if not (need == [major, minor] if exact else need[0] == major and need[1] <= minor):
            raise Failure(f"the cubin is for {target['target']}, and the device has compute capability {major}.{minor}")
        self.module = ctypes.c_void_p()
        driver.cuModuleLoadData(ctypes.byref(self.module), cubin)
        self.kernels = {each["name"]: each for each in manifest["kernels"]}
        self.scratch = {each["kernel"]: each["bytes"] for each in target["scratch"]}

    def launch(self, name, stream=None, **values):
        """Tensors are addresses on the device, integers and floats numbers, other scalars their bits."""
        kernel = self.kernels[name]
        function = ctypes.c_void_p()
        self.driver.cuModuleGetFunction(ctypes.byref(function), self.module, name.encode())
        packed = [c_type(each)(getattr(values[each["name"]], "value", values[each["name"]]))
                  for each in kernel["parameters"]]
        if name in self.scratch:  # tensor memory in software
            packed.append(self.driver.allocate(self.scratch[name]))
        pointers = (ctypes.c_void_p * len(packed))(*(ctypes.addressof(each) for each in packed))
        self.driver.cuLaunchKernel(function, *kernel["grid"], *kernel["block"], 0, ctypes.c_void_p(stream), pointers,
                                   None)
        if name in self.scratch:
            self.driver.cuCtxSynchronize()
            self.driver.cuMemFree_v2(packed[-1])


def c_type(parameter):
    if parameter["kind"] == "tensor":
        return ctypes.c_uint64
    if parameter["type"] in ("f32", "tf32"):
        return ctypes.c_float
    signed = parameter["type"].startswith("s")
    return getattr(ctypes, f"c_{'' if signed else 'u'}int{parameter['bits']}")


def main(cubin_path, manifest_path):
    with open(cubin_path, "rb") as file:
        cubin = file.read()
    with open(manifest_path, encoding="utf-8") as file:
        manifest = json.load(file)
    driver = Driver()
    program = Program(driver, cubin, manifest)
    sent = random.Random(1).randbytes(128 * 8 * 2)
    A, B = driver.upload(sent), driver.allocate(len(sent))
    program.launch("roundtrip", A=A, B=B)
    driver.cuCtxSynchronize()
    received = driver.download(B, len(sent))
    for address in (A, B):
        driver.cuMemFree_v2(address)
    print("every element came back" if received == sent else "what came back is not what was sent")
    return 0 if received == sent else 4


if __name__ == "__main__":
    try:
        sys.exit(main(*sys.argv[1:]))
    except (Failure, OSError) as why:
        print(f"roundtrip.py: {why}", file=sys.stderr)
        sys.exit(3)
