"""Writes the .npy files beside it, as NumPy and ml_dtypes do; the tests read them and write the same bytes.
Run by hand with NumPy 2 and ml_dtypes; the files are kept, so that the tests need neither."""
import os
import ml_dtypes
import numpy as np

os.chdir(os.path.dirname(os.path.abspath(__file__)))
counted = np.arange(1, 7).reshape(2, 3)
np.save("f16.npy", counted.astype(np.float16))
np.save("f32.npy", counted.astype(np.float32) / 4)
np.save("s8.npy", (-counted).astype(np.int8))
np.save("u8_vector.npy", np.arange(1, 9, dtype=np.uint8))
np.save("s32_scalar.npy", np.array(-7, np.int32))
np.save("u16_long.npy", np.zeros((12345, 0), np.uint16))
np.save("bf16.npy", counted.astype(ml_dtypes.bfloat16))
np.save("f8e4m3.npy", counted.astype(ml_dtypes.float8_e4m3fn))
np.save("fortran.npy", np.asfortranarray(np.arange(24, dtype=np.int16).reshape(2, 3, 4)))
np.save("big_endian.npy", counted.astype(">f4"))
np.save("float64.npy", counted.astype(np.float64))
np.save("text.npy", np.array(["a", "bc"]))
np.save("records.npy", np.zeros(2, [("x", "<f4"), ("y", "<i2")]))
for major in (2, 3):
    with open(f"version{major}.npy", "wb") as file:
        np.lib.format.write_array(file, counted.astype(np.uint32), version=(major, 0))
